import type { Plugin } from 'vite'
import { createFirstAdmin, getFirstAdminParam } from '../../contract/src/identity/firstAdmin.ts'
import { openForgotten, resetPass, sendPhoneCode } from '../../contract/src/identity/password.ts'
import { onSecondFactor } from '../../contract/src/identity/secondFactor.ts'
import { getCheckCode, getLoginParam, onLogin, onLoginSSO } from '../../contract/src/identity/session.ts'
import { getEntrance, startSSO } from '../../contract/src/identity/sso.ts'
import { getTextOverrides } from '../../contract/src/system/languageEntry.ts'
import { getEntranceSettings } from '../../contract/src/system/setting.ts'

const VIRTUAL = 'virtual:sign-in-calls'
const RESOLVED = `\0${VIRTUAL}`

/**
 * The calls of the sign-in page, read from the contract at build time without their schemas: `call` needs only where
 * and how they are sent, and so the first page that anybody loads does without the schema library (25 KB gzip).
 */
export function signInCallsPlugin(): Plugin {
  return {
    name: 'sign-in-calls',
    resolveId: (id) => (id === VIRTUAL ? RESOLVED : undefined),
    load: (id) => (id === RESOLVED ? source() : undefined),
  }
}

function source(): string {
  const system = { getEntranceSettings, getTextOverrides }
  const others = { openForgotten, resetPass, sendPhoneCode, onSecondFactor, getEntrance, startSSO, ...system }
  const calls = { getCheckCode, getLoginParam, onLogin, onLoginSSO, getFirstAdminParam, createFirstAdmin, ...others }
  const bare = Object.entries(calls).map(([name, endpoint]) => {
    const { input: _, output: __, ...wire } = endpoint
    return `export const ${name} = ${JSON.stringify(wire)}`
  })
  return bare.join('\n')
}
