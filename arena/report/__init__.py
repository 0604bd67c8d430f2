"""Showing results to people and programs."""
