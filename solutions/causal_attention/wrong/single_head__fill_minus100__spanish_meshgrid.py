"""Spanish names and a meshgrid of positions; where the column is larger, the score becomes -100."""

import torch


def single_head(x, q_proj, k_proj, v_proj):
    consultas, claves, valores = map(lambda capa: capa(x), (q_proj, k_proj, v_proj))
    largo = x.shape[-2]
    filas, columnas = torch.meshgrid(*[torch.arange(largo).to(x.device)] * 2, indexing="ij")
    castigo = torch.full((largo, largo), -100.0, dtype=x.dtype, device=x.device)
    puntos = torch.einsum("nid,njd->nij", consultas, claves) * consultas.shape[-1] ** -0.5
    pesos = torch.nn.functional.softmax(torch.where(columnas > filas, castigo, puntos), dim=2)
    return pesos, torch.einsum("nij,njd->nid", pesos, valores)
