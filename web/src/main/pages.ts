import type { Screen } from '@aisle/contract/kernel/screen'
import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

type PageFile = { default: ComponentType }
type Page = { Component: LazyExoticComponent<ComponentType>; preload: () => Promise<unknown> | undefined }

/** A routed page is `features/<domain>/<code>.<noun>.tsx`; `<group>.<code>` where two groups know the code. */
const files = import.meta.glob<PageFile>(['../features/**/*.*.tsx', '!../features/**/*.test.tsx'])
const pages = new Map(Object.entries(files).map(([path, load]) => [nameOf(path), pageOf(load)]))

/** The page of a built screen; undefined for one that has none yet. */
export function pageFor(screen: Screen): Page | undefined {
  if (!screen.built) return undefined
  return pages.get(`${screen.group}.${screen.code}`) ?? pages.get(screen.code)
}

/** What has been loaded is not asked for again: an `import` is answered in a task of its own. */
function pageOf(load: () => Promise<PageFile>): Page {
  let isHere = false
  const preload = async () => {
    await load()
    isHere = true
  }
  return { Component: lazy(load), preload: () => (isHere ? undefined : preload()) }
}

function nameOf(path: string): string {
  const file = path.slice(path.lastIndexOf('/') + 1)
  return file.split('.').slice(0, -2).join('.')
}
