import { useSyncExternalStore } from 'react'
import { accentOf } from './brandColour'

/** Whose product this is to the person: null is the product's own. */
export type Brand = { logo: string | null; name: string | null; colour: string | null }

/** Kept, so that a page that is loaded again does not change its colour before the eyes. */
const STORED = 'aisle.brand'
const OWN: Brand = { logo: null, name: null, colour: null }
const sheet = new CSSStyleSheet()
const listeners = new Set<() => void>()
let brand: Brand = stored()

export const useBrand = (): Brand => useSyncExternalStore(subscribe, () => brand)

export function putBrand(next: Brand): void {
  if (JSON.stringify(next) === JSON.stringify(brand)) return
  brand = next
  localStorage.setItem(STORED, JSON.stringify(next))
  paint()
  for (const listener of listeners) listener()
}

function paint(): void {
  const { colour } = brand
  sheet.replaceSync(colour ? `:root{${rules(colour, 'light')}}:root[data-theme="dark"]{${rules(colour, 'dark')}}` : '')
}

const rules = (colour: string, theme: 'light' | 'dark'): string =>
  Object.entries(accentOf(colour, theme))
    .map(([name, value]) => `--${name}:${value};`)
    .join('')

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function stored(): Brand {
  try {
    const kept = JSON.parse(localStorage.getItem(STORED) ?? 'null') as Partial<Brand> | null
    const colour = /^#[0-9a-f]{6}$/i.test(kept?.colour ?? '') ? (kept?.colour ?? null) : null
    return { ...OWN, ...kept, colour }
  } catch {
    return OWN
  }
}

document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
paint()
