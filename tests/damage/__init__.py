"""Damaged submissions as test data: each case, and the grade that is expected."""

from damage import of_cells, of_code, of_folder, of_format, of_metadata
from damage.released import Damage, Released, release

ROOMS = (of_cells, of_metadata, of_code, of_format, of_folder)
ALL = [case for room in ROOMS for case in vars(room).values() if isinstance(case, Damage)]
KINDS = [  # one case for each kind of damage within a notebook
    of_cells.undamaged,
    of_cells.untouched,
    of_cells.graded_twice,
    of_cells.split_in_the_middle,
    of_cells.answer_deleted,
    of_cells.graded_deleted,
    of_cells.no_cells,
    of_cells.many_codes,
    of_cells.reversed_answers,
    of_cells.answer_is_text,
    of_cells.graded_is_text,
    of_cells.unknown_kind,
    of_metadata.answer_renamed,
    of_metadata.graded_exchanged,
    of_metadata.flags_flipped,
    of_metadata.points_edited,
    of_metadata.graded_edited,
    of_metadata.slash_id,
    of_metadata.metadata_gone,
    of_metadata.ids_twice,
    of_code.pip,
    of_code.shell,
    of_code.bash,
    of_code.timeit,
    of_code.raises,
    of_code.asks,
    of_code.exits,
    of_code.endless,
    of_code.prints,
    of_code.dies,
    of_code.syntax,
    of_code.answer_syntax,
    of_code.answer_half,
    of_code.nul,
    of_code.pasted,
    of_format.cut_off,
    of_format.empty,
    of_format.byte_order_mark,
    of_format.latin_1,
    of_format.nested,
    of_format.a_list,
    of_format.version_3,
    of_format.minor_99,
    of_format.version_5,
    of_format.no_kernel,
    of_format.other_kernel,
    of_format.other_assignment,
    of_format.cell_null,
    of_format.output_10,
    of_format.output_100,
    of_format.markup,
]
FOLDERS = [case for case in vars(of_folder).values() if isinstance(case, Damage)]

__all__ = ["ALL", "FOLDERS", "KINDS", "Damage", "Released", "release"]
