"""What users are promised: the public surface, the documentation, the layers."""
