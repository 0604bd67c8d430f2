"""The short form of full_disk.py: some points at which the disk is full."""

from __future__ import annotations

import subprocess

import pytest

from tests.soak.full_disk import chain, in_its_namespace
from tests.soak.playground import ROOT


def check(*options: str) -> None:
    done = subprocess.run(
        in_its_namespace(*options), cwd=ROOT, text=True, stdout=subprocess.PIPE, check=False
    )
    assert done.returncode == 0, done.stdout


needs_mounts = pytest.mark.skipif(
    chain() is None, reason="mounting a small disk needs root or user namespaces (unshare)"
)


@needs_mounts
@pytest.mark.timeout(300)
def test_a_full_disk_loses_nothing() -> None:
    check("--points=2", "--short")


@pytest.mark.soak
@needs_mounts
@pytest.mark.timeout(3600)
def test_many_points_of_a_full_disk() -> None:
    check("--points=60")
