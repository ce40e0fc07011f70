import { announce } from '../../kernel/announce'
import type { Reader } from '../../kernel/context'

/** What holds for all is heard by all, not only by who sees the merchant that changed it. */
export const tellEveryone = (tx: Reader, kind: 'setting' | 'languageEntry' | 'agreement' | 'dictionaryItem') =>
  announce(tx, { topic: 'changes', kinds: [kind], merchantIds: [], above: [], everyone: true })
