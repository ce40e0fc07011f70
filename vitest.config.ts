import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Loading modules anew for each file was half of the run; what a module keeps, all files of a worker see. */
const isolate = false

const pureServer = 'server/src/**/*.rules.test.ts'

const checkedStatements = 'server/src/db/checked/statements.test.ts'

export default defineConfig({
  test: {
    /** All cores: a worker waits for the database for half of its time. */
    maxWorkers: availableParallelism(),
    projects: [
      {
        test: {
          name: 'pure',
          isolate,
          include: [
            'contract/src/**/*.test.ts',
            'fleet/src/**/*.test.ts',
            'web/**/*.test.{ts,tsx}',
            'tools/**/*.test.ts',
            pureServer,
          ],
          /** Keys of a password take seconds on a machine that has other work; speed is measured in bench/. */
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'database',
          isolate,
          include: ['server/src/**/*.test.ts'],
          exclude: [pureServer, checkedStatements],
          setupFiles: 'server/src/db/checked/noting.setup.ts',
          globalSetup: ['server/src/db/testing.setup.ts', 'server/src/db/checked/notes.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          /** What is waited for is waited for as on a machine that has other work, too. */
          expect: { poll: { timeout: 10_000 } },
          /** As in the browser tests: what passes only on its second try is named at the end. */
          retry: 1,
        },
      },
      {
        /** Reads what the others noted. */
        test: { name: 'statements', include: [checkedStatements], sequence: { groupOrder: 1 } },
      },
    ],
  },
})
