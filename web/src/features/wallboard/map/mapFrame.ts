import type { ComponentType } from 'react'
import type { Spot } from '../../../ui/chart/projection'
import type { Sale } from '../panels/sale.rules'

/** What the board's points are drawn on: of China, or of the world where machines stand abroad. */
export type MapFrame = {
  /** Units of the drawing. */
  width: number
  height: number
  /** Null for a sale that is not on this map. */
  spotOf: (sale: Sale) => Spot | null
  provinceAt: (spot: Spot) => string | null
  Land: ComponentType
  label: 'map.label' | 'map.worldLabel'
}
