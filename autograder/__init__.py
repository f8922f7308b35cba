"""Grade attention, built by students: right is accepted, wrong is named."""
