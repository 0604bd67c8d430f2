"""Raises what it is limited to.

levels: process sandbox
forfeits: none
log: raised: 0
"""

import os
import resource

import raw

LIMITS = (resource.RLIMIT_DATA, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE, 10)


def raise_limit(limit):
    most = resource.getrlimit(limit)[1]
    resource.setrlimit(limit, (most + 1, most + 1))


def misdeed(answers, bad):
    refused = [raw.is_refused(raise_limit, limit) for limit in LIMITS]
    refused += [raw.is_refused(os.setuid, 0), raw.is_refused(os.nice, -5)]
    raw.say(f"raised: {refused.count(False)}")


raw.play(misdeed)
