import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { languages } from '@aisle/contract/kernel/text'
import {
  type importLanguageEntries,
  MAX_TEXT_LENGTH,
  objectionTo,
  type overrideText,
} from '@aisle/contract/system/languageEntry'
import type { CommandContext, QueryContext } from '../../kernel/context'
import { refuseStale } from '../../kernel/edit'
import { grouped } from '../../kernel/must'
import { existing, refuse } from '../../kernel/refuse'
import { word } from '../../kernel/words'
import { platformOnly, platformRow } from '../../kernel/scope'
import { nameOf, type Shipped, shippedById, shippedNamed } from './languageEntry.catalog'
import { type FileRow, judgeRows } from './languageEntry.rules'
import { lockWords, type Override, put, readOverrides, type Said } from './languageEntry.store'
import { tellEveryone } from './platform'

export async function override(ctx: CommandContext, input: InputOf<typeof overrideText>): Promise<{ version: number }> {
  platformRow(ctx)
  const shipped = existing(shippedById(input.id))
  await lockWords(ctx.tx)
  const before = (await readOverrides(ctx.tx)).get(nameOf(shipped))
  const { id: _, version, ...asked } = input
  const wanted = { ...asked, ...asShippedIsNull(shipped, asked) }
  refuseStale(ctx, { version }, { version: before?.version ?? 0 }, textsOf(before), wanted)
  refuseBadTexts(ctx, shipped, wanted)
  const kept = await keep(ctx, shipped, { before, after: wanted })
  await tellEveryone(ctx.tx, 'languageEntry')
  return { version: kept }
}

export async function reset(ctx: CommandContext, { id }: { id: number }): Promise<{ id: number }> {
  platformRow(ctx)
  const shipped = existing(shippedById(id))
  await lockWords(ctx.tx)
  const before = (await readOverrides(ctx.tx)).get(nameOf(shipped))
  await keep(ctx, shipped, { before, after: textsOf(undefined) })
  await tellEveryone(ctx.tx, 'languageEntry')
  return { id }
}

export async function judge(ctx: QueryContext, rows: readonly FileRow[]) {
  platformOnly(ctx)
  const overrides = await readOverrides(ctx.db)
  return judgeRows(rows, (row) => {
    const shipped = shippedNamed(row.namespace, row.key)
    return shipped && { shipped: shipped.texts, others: overrides.get(nameOf(shipped)) ?? {} }
  })
}

export async function importRows(ctx: CommandContext, { rows }: InputOf<typeof importLanguageEntries>) {
  await lockWords(ctx.tx)
  const { changes, refused } = await judge(ctx, rows)
  const overrides = await readOverrides(ctx.tx)
  for (const [name, own] of grouped(changes, nameOf)) {
    const shipped = existing(shippedNamed(own[0]?.namespace ?? '', own[0]?.key ?? ''))
    const before = overrides.get(name)
    const after = {
      ...textsOf(before),
      ...Object.fromEntries(own.map(({ language, after: text }) => [language, text])),
    }
    await keep(ctx, shipped, { before, after: { ...after, ...asShippedIsNull(shipped, after) } })
  }
  await ctx.audit({
    merchantId: ctx.actor.merchantId,
    objectKind: 'languageEntry',
    objectId: 'import',
    before: null,
    after: { rows: rows.length, changed: changes.length, refused: refused.length },
  })
  if (changes.length > 0) await tellEveryone(ctx.tx, 'languageEntry')
  return { changed: changes.length, refused }
}

type Texts = Omit<Said, 'namespace' | 'key'>

const textsOf = (override: Override | undefined): Texts => ({
  zh: override?.zh ?? null,
  en: override?.en ?? null,
  fr: override?.fr ?? null,
  ko: override?.ko ?? null,
})

/** To say a text as it is shipped is to say nothing otherwise: a later release may then better it. */
const asShippedIsNull = (shipped: Shipped, texts: Texts): Partial<Texts> =>
  Object.fromEntries(languages.filter((each) => texts[each] === shipped.texts[each]).map((each) => [each, null]))

function refuseBadTexts(ctx: CommandContext, shipped: Shipped, texts: Texts): void {
  const found = languages.flatMap((language) => {
    const text = texts[language]
    const objection = text === null ? null : objectionTo(text, shipped.texts.zh)
    return objection ? [{ language, objection }] : []
  })
  const fields = found.map(({ language: path, objection }) => ({
    path,
    reason: objection,
    msg: wordOf(ctx, objection),
  }))
  const first = found[0]
  if (!first) return
  if (first.objection === 'placeholders' || first.objection === 'nesting') {
    refuse(`languageEntry.${first.objection}`, {}, fields)
  }
  refuse('request.invalid', {}, fields)
}

function wordOf({ language }: CommandContext, objection: NonNullable<ReturnType<typeof objectionTo>>): string {
  if (objection === 'empty') return word(language, 'kernel', 'field.required')
  if (objection === 'tooLong') return word(language, 'kernel', 'field.tooLong', { maximum: MAX_TEXT_LENGTH })
  return word(language, 'system', `refusal.languageEntry.${objection}`)
}

type Kept = { before: Override | undefined; after: Texts }

async function keep(ctx: CommandContext, shipped: Shipped, { before, after }: Kept): Promise<number> {
  const { namespace, key } = shipped
  const version = await put(ctx.tx, { namespace, key, ...after }, { userId: ctx.actor.userId, at: ctx.now() })
  await ctx.audit({
    merchantId: ctx.actor.merchantId,
    objectKind: 'languageEntry',
    objectId: `${namespace}.${key}`,
    before: textsOf(before),
    after,
  })
  return version
}
