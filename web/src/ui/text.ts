import { i18nextOptions, isLanguage, type Language, locales } from '@aisle/contract/kernel/text'
import i18next from 'i18next'
import { use, useSyncExternalStore } from 'react'
import type admin from '../../../contract/src/admin/text/zh.json'
import type advert from '../../../contract/src/advert/text/zh.json'
import type alarm from '../../../contract/src/alarm/text/zh.json'
import type audit from '../../../contract/src/audit/text/zh.json'
import type catalog from '../../../contract/src/catalog/text/zh.json'
import type counting from '../../../contract/src/counting/text/zh.json'
import type device from '../../../contract/src/device/text/zh.json'
import type events from '../../../contract/src/events/text/zh.json'
import type field from '../../../contract/src/field/text/zh.json'
import type fleet from '../../../contract/src/fleet/text/zh.json'
import type home from '../../../contract/src/home/text/zh.json'
import type identity from '../../../contract/src/identity/text/zh.json'
import type kernel from '../../../contract/src/kernel/text/zh.json'
import type lottery from '../../../contract/src/lottery/text/zh.json'
import type maintenance from '../../../contract/src/maintenance/text/zh.json'
import type medicine from '../../../contract/src/medicine/text/zh.json'
import type member from '../../../contract/src/member/text/zh.json'
import type merchant from '../../../contract/src/merchant/text/zh.json'
import type notice from '../../../contract/src/notice/text/zh.json'
import type payment from '../../../contract/src/payment/text/zh.json'
import type partner from '../../../contract/src/partner/text/zh.json'
import type people from '../../../contract/src/people/text/zh.json'
import type pharmacy from '../../../contract/src/pharmacy/text/zh.json'
import type pickup from '../../../contract/src/pickup/text/zh.json'
import type advice from '../../../contract/src/advice/text/zh.json'
import type planogram from '../../../contract/src/planogram/text/zh.json'
import type promotion from '../../../contract/src/promotion/text/zh.json'
import type purchase from '../../../contract/src/purchase/text/zh.json'
import type purposes from '../../../contract/src/purposes/text/zh.json'
import type refund from '../../../contract/src/refund/text/zh.json'
import type report from '../../../contract/src/report/text/zh.json'
import type rights from '../../../contract/src/rights/text/zh.json'
import type screens from '../../../contract/src/screens/text/zh.json'
import type funds from '../../../contract/src/funds/text/zh.json'
import type settlement from '../../../contract/src/settlement/text/zh.json'
import type sight from '../../../contract/src/sight/text/zh.json'
import type stock from '../../../contract/src/stock/text/zh.json'
import type support from '../../../contract/src/support/text/zh.json'
import type system from '../../../contract/src/system/text/zh.json'
import type trade from '../../../contract/src/trade/text/zh.json'
import type wallboard from '../../../contract/src/wallboard/text/zh.json'

type Catalogs = {
  kernel: typeof kernel
  /** The page kit's own words (web/src/admin). */
  admin: typeof admin
  home: typeof home
  identity: typeof identity
  medicine: typeof medicine
  merchant: typeof merchant
  payment: typeof payment
  events: typeof events
  field: typeof field
  fleet: typeof fleet
  trade: typeof trade
  advert: typeof advert
  alarm: typeof alarm
  catalog: typeof catalog
  counting: typeof counting
  device: typeof device
  pickup: typeof pickup
  planogram: typeof planogram
  advice: typeof advice
  lottery: typeof lottery
  maintenance: typeof maintenance
  promotion: typeof promotion
  purchase: typeof purchase
  stock: typeof stock
  wallboard: typeof wallboard
  rights: typeof rights
  partner: typeof partner
  people: typeof people
  pharmacy: typeof pharmacy
  funds: typeof funds
  settlement: typeof settlement
  sight: typeof sight
  audit: typeof audit
  notice: typeof notice
  refund: typeof refund
  report: typeof report
  support: typeof support
  member: typeof member
  system: typeof system
  screens: typeof screens
  purposes: typeof purposes
}
export type Namespace = keyof Catalogs
export type TextKey<N extends Namespace> = keyof Catalogs[N] & string
export type Vars = Record<string, string | number>

export type Text<N extends Namespace = Namespace> = {
  (key: TextKey<N>, vars?: Vars): string
  /** For a key that is computed (`field.<name>`, `<words>.<state>`): the tidy test sees that those exist. */
  any: (key: string, vars?: Vars) => string
  has: (key: string) => boolean
  /** What a machine or a provider said: the text of its code, or the code itself where no catalog knows it. */
  or: (key: string, code: string) => string
}

const files = import.meta.glob<Record<string, string>>('../../../contract/src/*/text/*.json', { import: 'default' })
const texts = i18next.createInstance()
void texts.init({ ...i18nextOptions, lng: 'zh', resources: {}, initAsync: false })

const STORED = 'aisle.language'
let language: Language = stored()
/** Counts what was said otherwise since the page was loaded. */
let revision = 0
const listeners = new Set<() => void>()
const loads = new Map<string, Promise<void>>()
const shipped = new Map<string, Record<string, string>>()
const translators = new Map<string, Text<never>>()

export const currentLanguage = (): Language => language
/** The BCP 47 tag for `Intl`. */
export const currentLocale = (): string => locales[language]

export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, currentLanguage)
}

/** Suspends until the catalog is here; the function it returns is the same until the words change. */
export function useText<N extends Namespace>(namespace: N): Text<N> {
  const current = useLanguage()
  useSyncExternalStore(subscribe, () => revision)
  use(load(namespace, current))
  return translator(namespace, current)
}

/**
 * For what stands in several catalogs; suspends until they are here. Places that only a page can fill read "…".
 * @returns a text, empty where the catalog has none
 */
export function usePatterns(namespaces: readonly Namespace[]): (namespace: Namespace, key: string) => string {
  const current = useLanguage()
  useSyncExternalStore(subscribe, () => revision)
  for (const loading of namespaces.map((namespace) => load(namespace, current))) use(loading)
  return (ns, key) => {
    const there = { ns, lng: current }
    if (!texts.exists(key, there)) return ''
    return texts.t(key, { ...there, skipInterpolation: true }).replaceAll(/\{\{\w+\}\}/g, '…')
  }
}

/** A text outside React; the key itself unless `loadTexts` has brought the catalog. */
export const textOf = <N extends Namespace>(namespace: N): Text<N> => translator(namespace, language)

export async function loadTexts(namespaces: readonly Namespace[]): Promise<void> {
  await Promise.all(namespaces.map((namespace) => load(namespace, language)))
}

/** Without a reload: every catalog that is on the screen is fetched first, so that nothing flickers. */
export async function setLanguage(next: Language): Promise<void> {
  const inUse = new Set([...loads.keys()].map((key) => key.split('/')[0] ?? ''))
  await Promise.all([...inUse].filter(isNamespace).map((namespace) => load(namespace, next)))
  language = next
  sessionStorage.setItem(STORED, next)
  localStorage.setItem(STORED, next)
  mark()
  for (const listener of listeners) listener()
}

export const isNamespace = (text: string): text is Namespace =>
  Object.keys(files).some((path) => path.includes(`/${text}/text/`))

function load(namespace: Namespace, wanted: Language): Promise<void> {
  const key = `${namespace}/${wanted}`
  const known = loads.get(key)
  if (known) return known
  const loading = fetchCatalog(namespace, wanted)
  loads.set(key, loading)
  // React reads `status`: a catalog that is already here then does not suspend even for a moment.
  loading.then(
    () => Object.assign(loading, { status: 'fulfilled' }),
    () => loads.delete(key),
  )
  return loading
}

async function fetchCatalog(namespace: Namespace, wanted: Language): Promise<void> {
  const file = files[`../../../contract/src/${namespace}/text/${wanted}.json`]
  if (!file) throw new Error(`no catalog ${namespace}/${wanted}`)
  const [catalog] = await Promise.all([file(), othersIn(wanted)])
  shipped.set(`${namespace}/${wanted}`, catalog)
  say(namespace, wanted)
}

/** A text that this installation says otherwise than the product is shipped. */
export type OtherText = { namespace: string; key: string; text: string }

/** Nobody waits longer for other words than this, the first time; they are said when they come. */
const WAIT_MS = 1_500
const others = new Map<Language, readonly OtherText[]>()
const asked = new Map<Language, Promise<void>>()
let fetchOthers: (wanted: Language) => Promise<readonly OtherText[]> = async () => []

/** Where the other words come from; called once for each language that is shown. */
export function bringOthers(fetcher: typeof fetchOthers): void {
  fetchOthers = fetcher
}

/** They may have changed: what is on the screen is said anew, without a reload; the rest when it is shown again. */
export async function renewOthers(): Promise<void> {
  asked.clear()
  for (const key of loads.keys()) if (!key.endsWith(`/${language}`)) loads.delete(key)
  const renewed = askOthers(language)
  asked.set(language, renewed)
  await renewed
}

function othersIn(wanted: Language): Promise<void> {
  const known = asked.get(wanted)
  if (known) return known
  const answer = askOthers(wanted)
  const patience = () => new Promise<void>((done) => void setTimeout(done, WAIT_MS))
  const waiting = recallOthers(wanted) ? Promise.resolve() : Promise.race([answer, patience()])
  asked.set(wanted, waiting)
  return waiting
}

const keptAs = (wanted: Language) => `aisle.words.${wanted}`

/** As they were the last time: nobody waits for the network, and a phone without one has them too. */
function recallOthers(wanted: Language): boolean {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keptAs(wanted)) ?? 'null')
    if (!Array.isArray(kept)) return false
    others.set(wanted, kept.filter(isOther))
    return true
  } catch {
    return false
  }
}

function keepOthers(wanted: Language, found: readonly OtherText[]): void {
  try {
    localStorage.setItem(keptAs(wanted), JSON.stringify(found))
  } catch {
    // A device without room asks the network each time.
  }
}

const isOther = (each: Record<string, unknown> | null): each is OtherText =>
  ['namespace', 'key', 'text'].every((name) => typeof each?.[name] === 'string')

/** Without an answer the shipped words are good words. */
async function askOthers(wanted: Language): Promise<void> {
  const found = await fetchOthers(wanted).catch(() => undefined)
  if (found) keepOthers(wanted, found)
  if (!found || JSON.stringify(found) === JSON.stringify(others.get(wanted) ?? [])) return
  others.set(wanted, found)
  for (const key of shipped.keys()) {
    const [namespace = '', of] = key.split('/')
    if (of === wanted) say(namespace, wanted)
  }
  translators.clear()
  revision += 1
  for (const listener of listeners) listener()
}

function say(namespace: string, wanted: Language): void {
  const own = (others.get(wanted) ?? []).filter((other) => other.namespace === namespace)
  const said = Object.fromEntries(own.map(({ key, text }) => [key, text]))
  texts.addResourceBundle(wanted, namespace, { ...shipped.get(`${namespace}/${wanted}`), ...said }, false, true)
}

function translator<N extends Namespace>(namespace: N, wanted: Language): Text<N> {
  const key = `${namespace}/${wanted}`
  const known = translators.get(key)
  if (known) return known
  // A text without variables is looked up once: a page asks for hundreds of them each time that it is drawn.
  const plain = new Map<string, string>()
  const any = (name: string, vars?: Vars): string => {
    if (vars) return texts.t(name, { ...vars, ns: namespace, lng: wanted })
    const known = plain.get(name)
    if (known !== undefined) return known
    const text = texts.t(name, { ns: namespace, lng: wanted })
    if (shipped.has(key)) plain.set(name, text)
    return text
  }
  const has = (name: string): boolean => texts.exists(name, { ns: namespace, lng: wanted })
  const or = (name: string, code: string): string => (has(name) ? any(name) : code)
  const made = Object.assign((name: string, vars?: Vars) => any(name, vars), { any, has, or })
  translators.set(key, made)
  return made
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function stored(): Language {
  const text = sessionStorage.getItem(STORED) ?? localStorage.getItem(STORED)
  return isLanguage(text) ? text : 'zh'
}

function mark(): void {
  document.documentElement.lang = locales[language]
}

mark()
