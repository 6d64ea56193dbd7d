"""The arms in use."""

from __future__ import annotations

from ascertain.arms.base import Arm
from ascertain.arms.graph import GraphArm
from ascertain.arms.name import NameArm
from ascertain.arms.semantic import SemanticArm
from ascertain.arms.spelling import SpellingArm
from ascertain.arms.text import TextArm
from ascertain.arms.title import TitleArm

ARMS: tuple[Arm, ...] = (TitleArm(), NameArm(), SemanticArm(), GraphArm(), TextArm(), SpellingArm())
