"""Completion in the shell: what a shell is told (`shells`), and what could be meant (`kinds`).

While something is completed nothing is written, and nobody is told of an error: a person has only
pressed a key.
"""
