import { isTest, paths, root } from './source'

/** Every module of the contract by its path, as it is when it runs. */
export const contractModules: ReadonlyMap<string, Record<string, unknown>> = new Map(
  await Promise.all(
    paths
      .filter((path) => /^contract\/src\/.*\.ts$/.test(path) && !isTest(path))
      .map(
        async (path) => [path, (await import(/* @vite-ignore */ `${root}${path}`)) as Record<string, unknown>] as const,
      ),
  ),
)
