import type { Field } from '@aisle/contract/kernel/field'
import type { ComponentType } from 'react'
import type { Place } from '../../ui/cards'
import type { Text } from '../../ui/text'

/** `t` is the catalog of the page's domain: it holds the words of its states; `row`, where the value leads on. */
export type CellProps = { value: unknown; field: Field; t: Text; row?: Readonly<Record<string, unknown>> }

/** What a kind of field knows of itself. A new kind is one more of these, and a line in `kinds.ts`. */
export type Kind = {
  Cell: ComponentType<CellProps>
  isNumber?: boolean
  /** Where it goes when the row is a card. */
  place: Place
}
