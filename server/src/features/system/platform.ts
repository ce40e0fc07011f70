import { announce } from '../../kernel/announce'
import type { QueryContext, Reader } from '../../kernel/context'
import { refuse } from '../../kernel/refuse'
import { sightOf } from '../../kernel/scope'

type Asking = Pick<QueryContext, 'actor'>

/** Some things are the platform's own, whatever permissions a merchant's role was given. */
export const isPlatform = ({ actor }: Asking): boolean => sightOf(actor).kind === 'all'

/** For one row: who may not see it learns nothing of it. @throws Refusal request.notFound */
export function platformRow(ctx: Asking): void {
  if (!isPlatform(ctx)) refuse('request.notFound')
}

/** @throws Refusal request.notPermitted */
export function platformOnly(ctx: Asking): void {
  if (!isPlatform(ctx)) refuse('request.notPermitted')
}

/** What holds for all is heard by all, not only by who sees the merchant that changed it. */
export const tellEveryone = (tx: Reader, kind: 'setting' | 'languageEntry' | 'agreement' | 'dictionaryItem') =>
  announce(tx, { topic: 'changes', kinds: [kind], merchantIds: [], above: [], everyone: true })
