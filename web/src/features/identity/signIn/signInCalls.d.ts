/** Made by web/vite/signInCalls.ts. The types are the contract's own; the schemas themselves are not there. */
declare module 'virtual:sign-in-calls' {
  import type * as firstAdmin from '@aisle/contract/identity/firstAdmin'
  import type * as password from '@aisle/contract/identity/password'
  import type * as secondFactor from '@aisle/contract/identity/secondFactor'
  import type * as session from '@aisle/contract/identity/session'
  import type * as sso from '@aisle/contract/identity/sso'
  import type * as languageEntry from '@aisle/contract/system/languageEntry'
  import type * as setting from '@aisle/contract/system/setting'
  export const getCheckCode: typeof session.getCheckCode
  export const getLoginParam: typeof session.getLoginParam
  export const onLogin: typeof session.onLogin
  export const onLoginSSO: typeof session.onLoginSSO
  export const onSecondFactor: typeof secondFactor.onSecondFactor
  export const sendPhoneCode: typeof password.sendPhoneCode
  export const openForgotten: typeof password.openForgotten
  export const resetPass: typeof password.resetPass
  export const getEntrance: typeof sso.getEntrance
  export const startSSO: typeof sso.startSSO
  export const getFirstAdminParam: typeof firstAdmin.getFirstAdminParam
  export const createFirstAdmin: typeof firstAdmin.createFirstAdmin
  export const getEntranceSettings: typeof setting.getEntranceSettings
  export const getTextOverrides: typeof languageEntry.getTextOverrides
}
