import type { QueryContext } from '../../kernel/context'
import { refuse } from '../../kernel/refuse'
import { sightOf } from '../../kernel/scope'

/** What is known and published is the platform's: everybody may read it, to others there is nothing here to change. */
export const platformOnly = <C extends QueryContext>(ctx: C): C =>
  sightOf(ctx.actor).kind === 'all' ? ctx : refuse('request.notFound')
