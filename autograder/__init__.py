"""Grade exercises in PyTorch: right is accepted, wrong is named."""
