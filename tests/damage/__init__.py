"""What comes back from students damaged, as data: each case, and what it is to get."""

from damage import of_cells, of_code, of_folder, of_format, of_metadata
from damage.released import Damage, Released, release

ROOMS = (of_cells, of_metadata, of_code, of_format, of_folder)
ALL = [case for room in ROOMS for case in vars(room).values() if isinstance(case, Damage)]

__all__ = ["ALL", "Damage", "Released", "release"]
