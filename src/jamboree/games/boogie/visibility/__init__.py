"""What each viewer sees, and the way back from there."""
