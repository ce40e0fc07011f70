import type { Exportable } from './kernel/manifest'
import { manifests } from './manifests'

/** Lists that can be exported as they are filtered. */
const exportables: readonly Exportable[] = manifests.flatMap((each) => each.exports ?? [])

export const exportableOf = (name: string): Exportable | undefined => exportables.find(({ list }) => list.name === name)
