"""SDKs, servers and frameworks as they are."""
