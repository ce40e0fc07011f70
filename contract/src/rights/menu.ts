import { z } from 'zod'
import { endpoint, zId } from '../kernel/endpoint'
import { defineRefusals } from '../kernel/refusal'
import { languages } from '../kernel/text'

export const menuRefusals = defineRefusals('rights', {
  'menu.unknown': 404,
  /** A group below a group, a page below a page. */
  'menu.wrongHolder': 422,
})

export const menuKinds = ['group', 'section', 'screen', 'external'] as const
const titles = z.partialRecord(z.enum(languages), z.string())

const item = z.object({
  key: z.string(),
  kind: z.enum(menuKinds),
  /** Where it stands; null on top. */
  parent: z.string().nullable(),
  code: z.string(),
  path: z.string(),
  /** Its text in the catalog of screens; '' for addresses of other systems. */
  text: z.string(),
  /** Names given here or above, for a merchant and all below it. */
  titles,
  icon: z.string().nullable(),
  isHidden: z.boolean(),
  /** What this merchant's own row says; null where it leaves the entry as it is above. */
  own: z.object({ version: z.int(), titles, icon: z.string().nullable(), isHidden: z.boolean().nullable() }).nullable(),
})
export type MenuEntry = z.output<typeof item>

export const getMenu = endpoint({
  name: 'rights.getMenu',
  method: 'GET',
  path: '/api/menu',
  access: 'menu.read',
  input: z.strictObject({ merchantId: zId.optional() }),
  output: z.object({ merchantId: z.int(), isPlatform: z.boolean(), items: z.array(item), changed: z.int() }),
  refusals: ['request.notFound'],
  summary: "Every entry of a merchant's menu where it stands, hidden ones too; the person's own merchant when left out",
})

const zTitle = z.string().trim().max(40).optional()
const entry = { merchantId: zId, key: z.string().min(1).max(60) }

export const editMenuItem = endpoint({
  name: 'rights.editMenuItem',
  method: 'POST',
  path: '/api/menu/edit',
  access: 'menu.write',
  writes: true,
  input: z.strictObject({
    ...entry,
    /** 0 where the merchant had no row of its own. */
    version: z.coerce.number().int(),
    /** Left out or empty: as above, at last as shipped. */
    titles: z.strictObject({ zh: zTitle, en: zTitle, fr: zTitle, ko: zTitle }),
    icon: z.string().max(20).nullable(),
    isHidden: z.boolean().nullable(),
  }),
  output: z.object({ version: z.int() }),
  refusals: ['request.notFound', 'menu.unknown', 'edit.stale'],
  summary: 'Name, mark, hide or show an entry of the menu, for a merchant and all below it',
})

export const arrangeMenu = endpoint({
  name: 'rights.arrangeMenu',
  method: 'POST',
  path: '/api/menu/arrange',
  access: 'menu.write',
  writes: true,
  input: z.strictObject({
    merchantId: zId,
    /** Null arranges the groups themselves. */
    parent: z.string().max(60).nullable(),
    keys: z.array(z.string().max(60)).min(1).max(300),
  }),
  output: z.object({}),
  refusals: ['request.notFound', 'menu.unknown', 'menu.wrongHolder'],
  summary: 'Put entries below a holder in this order; entries that stood elsewhere move',
})

export const resetMenu = endpoint({
  name: 'rights.resetMenu',
  method: 'POST',
  path: '/api/menu/reset',
  access: 'menu.write',
  writes: true,
  /** Without a key, or with an empty one, the whole menu. */
  input: z.strictObject({ merchantId: zId, key: z.string().max(60).optional() }),
  output: z.object({ changed: z.int() }),
  refusals: ['request.notFound'],
  summary: "Forget a merchant's own changes of one entry, or of the whole menu",
})
