"""Write grades in the formats of other systems: learning platforms and test reports."""
