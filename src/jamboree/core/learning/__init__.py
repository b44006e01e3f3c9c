"""Interactive lessons: course data, the progress of a learner, and worked examples."""

from .course import COURSES, Course, CourseKind, Lesson, LessonReply, LessonStep, LessonText, StepText, course_of
from .guided import Guided
from .pictures import Example, Pictures, Trial, pictures_of, quick_reference
from .progress import LessonStage, Progress, judged, next_reply, replied, retried, shown
from .pupil import Pupil, laid_out, repeated

__all__ = [
    "COURSES",
    "Course",
    "CourseKind",
    "Example",
    "Guided",
    "Lesson",
    "LessonReply",
    "LessonStage",
    "LessonStep",
    "LessonText",
    "Pictures",
    "Progress",
    "Pupil",
    "StepText",
    "Trial",
    "course_of",
    "judged",
    "laid_out",
    "next_reply",
    "pictures_of",
    "quick_reference",
    "repeated",
    "replied",
    "retried",
    "shown",
]
