import { defineConfig } from 'vitest/config'

const pureServer = 'server/src/**/*.rules.test.ts'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'pure',
          include: [
            'contract/src/**/*.test.ts',
            'fleet/src/**/*.test.ts',
            'web/**/*.test.{ts,tsx}',
            'tools/**/*.test.ts',
            pureServer,
          ],
        },
      },
      {
        test: {
          name: 'database',
          include: ['server/src/**/*.test.ts'],
          exclude: [pureServer],
          globalSetup: 'server/src/db/testing.setup.ts',
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
