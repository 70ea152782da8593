"""Tries to break the guarantee: neighbouring tables, and record-and-replay of the door."""

from triplea.audit.neighbours import Neighbour as Neighbour
from triplea.audit.neighbours import neighbours_of as neighbours_of
from triplea.audit.replay import Recording as Recording
from triplea.audit.replay import ReplayReport as ReplayReport
from triplea.audit.replay import replay as replay
from triplea.audit.witnesses import Finding as Finding
from triplea.audit.witnesses import Step as Step
