import type { Plugin } from 'vite'

/** What needs little and has to come at once: its pieces are not put together with those of the desk. */
const LIGHT =
  /\/(main\/entry|features\/(identity\/signIn\/\w+(\.user)?|wallboard\/databases\.board|field\/phone\/fieldApp))\.tsx$/
const SHELL = /\/main\/app\.tsx$/
/** Pieces that so many pages have in common come as one. */
const PAGES_IN_COMMON = 12

/**
 * What pages share comes in two files in place of some sixty: the frame around every page as one, and what many pages
 * have in common as the other. Each layer holds all that its modules import, or a layer below it does.
 */
export function chunksPlugin(): Plugin {
  let layers = new Map<string, string>()
  return {
    name: 'chunks',
    apply: 'build',
    config: () => ({
      build: {
        rolldownOptions: {
          output: {
            strictExecutionOrder: true,
            codeSplitting: {
              groups: [{ name: (id) => layers.get(id) ?? null, includeDependenciesRecursively: false }],
            },
          },
        },
      },
    }),
    buildEnd() {
      layers = layersOf([...this.getModuleIds()], (id) => this.getModuleInfo(id))
    },
  }
}

type InfoOf = (id: string) => { importedIds: readonly string[]; dynamicImporters: readonly string[] } | null

function layersOf(ids: readonly string[], infoOf: InfoOf): Map<string, string> {
  const from = (roots: string[]) => {
    const reached = new Set<string>()
    const open = [...roots]
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (reached.has(id)) continue
      reached.add(id)
      open.push(...(infoOf(id)?.importedIds ?? []))
    }
    return reached
  }
  const light = from(ids.filter((id) => LIGHT.test(id)))
  const shell = from(ids.filter((id) => SHELL.test(id)))
  const pages = new Map<string, number>()
  for (const entry of ids.filter((id) => (infoOf(id)?.dynamicImporters.length ?? 0) > 0)) {
    for (const id of from([entry])) pages.set(id, (pages.get(id) ?? 0) + 1)
  }
  const layerOf = (id: string) => {
    if (light.has(id)) return undefined
    if (shell.has(id)) return 'shell'
    return (pages.get(id) ?? 0) >= PAGES_IN_COMMON ? 'desk' : undefined
  }
  return new Map(
    ids.flatMap((id) => [[id, layerOf(id)] as const]).flatMap(([id, layer]) => (layer ? [[id, layer]] : [])),
  )
}
