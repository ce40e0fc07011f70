import type { Field, FieldKind } from '@aisle/contract/kernel/field'
import type { Kind } from './kind'
import { booleanKind } from './boolean'
import { imageKind } from './image'
import { countKind, moneyKind, percentKind, permilleKind } from './number'
import { readingKind } from './reading'
import { refKind } from './ref'
import { stateKind, statesKind } from './state'
import { codeKind, textKind } from './text'
import { dateTimeKind, dayKind } from './time'
import { treePathKind } from './treePath'

const kinds: Partial<Record<FieldKind, Kind>> = {
  code: codeKind,
  money: moneyKind,
  count: countKind,
  percent: percentKind,
  permille: permilleKind,
  dateTime: dateTimeKind,
  state: stateKind,
  states: statesKind,
  ref: refKind,
  tree: treePathKind,
  boolean: booleanKind,
  day: dayKind,
  reading: readingKind,
  image: imageKind,
}

/** Kinds that nothing shows yet read well enough as text. */
export const kindOf = (field: Field): Kind => kinds[field.kind] ?? textKind
