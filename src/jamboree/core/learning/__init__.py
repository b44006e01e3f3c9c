"""Learning a game by playing it: lessons as data, and what becomes of a learner's moves."""

from .course import Course, Lesson, LessonText, Reply, Step, StepText, course_of
from .guided import Guided
from .progress import Progress, Stage, judged, next_reply, replied, retried, shown
from .pupil import Pupil, laid_out, repeated

__all__ = [
    "Course",
    "Guided",
    "Lesson",
    "LessonText",
    "Progress",
    "Pupil",
    "Reply",
    "Stage",
    "Step",
    "StepText",
    "course_of",
    "judged",
    "laid_out",
    "next_reply",
    "repeated",
    "replied",
    "retried",
    "shown",
]
