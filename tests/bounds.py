"""How much each report of a submission may say, whatever the submission says."""

CHARACTERS = {"terminal": 60_000, "JSON": 90_000, "page": 200_000, "CSV": 1_500, "cells": 250_000}
LINES = {"terminal": 1_200, "JSON": 3_000, "page": 2_000, "CSV": 2, "cells": 4_000}
