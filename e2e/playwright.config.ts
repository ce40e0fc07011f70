import { defineConfig } from '@playwright/test'
import { browserFlags, findBrowser } from '../tools/browser.mjs'

export default defineConfig({
  testDir: 'src',
  testMatch: '**/*.spec.ts',
  globalSetup: './src/kit/harness.setup.ts',
  outputDir: '../test-results/e2e',
  /** A file's tests run in order; files share one server and run side by side. */
  fullyParallel: false,
  workers: 2,
  timeout: 60_000,
  globalTimeout: 80 * 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  /** A test that passes only on its second try is named at the end: it is a bug, though not the tried change's. */
  retries: 1,
  reporter: 'line',
  use: {
    /** Set by the global setup, which has run when a worker reads this file. */
    baseURL: process.env.AISLE_E2E_URL,
    /** Recording what passes costs a fifth of the run. */
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: findBrowser(), args: browserFlags() },
  },
})
