"""Long jobs in processes of their own, so that no table waits: hints, the lab's figures, the expected hold."""
