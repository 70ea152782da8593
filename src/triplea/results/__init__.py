"""Frozen result records: what evaluate/ finds out and report/ shows. They know nothing of the other parts."""

from triplea.results.evaluation import Evaluation as Evaluation
from triplea.results.fidelity import Association as Association
from triplea.results.fidelity import ColumnFidelity as ColumnFidelity
from triplea.results.fidelity import DimensionPoint as DimensionPoint
from triplea.results.fidelity import Fidelity as Fidelity
from triplea.results.fidelity import MarginalDistance as MarginalDistance
from triplea.results.fidelity import MarginalFidelity as MarginalFidelity
from triplea.results.fidelity import Projection as Projection
from triplea.results.images import ImageSamples as ImageSamples
from triplea.results.release import Guarantee as Guarantee
from triplea.results.release import PaidQuestion as PaidQuestion
from triplea.results.release import PublicColumn as PublicColumn
from triplea.results.release import ReleaseFacts as ReleaseFacts
from triplea.results.risk import AttackResult as AttackResult
from triplea.results.risk import ClosestRecord as ClosestRecord
from triplea.results.risk import Identifiability as Identifiability
from triplea.results.risk import MembershipAttack as MembershipAttack
from triplea.results.risk import Risk as Risk
from triplea.results.scores import Note as Note
from triplea.results.scores import Score as Score
from triplea.results.utility import Curve as Curve
from triplea.results.utility import ModelResult as ModelResult
from triplea.results.utility import RankingAgreement as RankingAgreement
from triplea.results.utility import Utility as Utility
