"""The wire format: typed messages, their encoding and their schema."""
