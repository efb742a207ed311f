"""What takes long is done here, in processes of its own, so that no table waits: hints, the lab, the expected hold."""
