/**
 * Names the tests that passed only when tried again: a bug each, though not the tried change's. The browser's runner
 * says so by itself.
 */
export default function flakyReporter() {
  /** @type {string[]} */
  const names = []
  return {
    /** @param {import('vitest/node').TestCase} testCase */
    onTestCaseResult(testCase) {
      if (testCase.diagnostic()?.flaky) names.push(`${testCase.module.relativeModuleId} > ${testCase.fullName}`)
    },
    onTestRunEnd() {
      for (const name of names) console.log(`\nFLAKY: ${name} passed only when tried again.`)
    },
  }
}
