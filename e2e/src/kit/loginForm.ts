import type { Page, Response } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { getCheckCode } from '@aisle/contract/identity/session'
import type { Language } from '@aisle/contract/kernel/text'

/** The sign-in form as a person finds it: by the words beside its fields. */
export function loginForm(page: Page, language: Language = 'zh') {
  const words = catalogs[language].identity
  return {
    words,
    account: page.getByLabel(words['login.account'], { exact: true }),
    password: page.getByLabel(words['login.password'], { exact: true }),
    code: page.getByLabel(words['login.code'], { exact: true }),
    picture: page.getByRole('img', { name: words['login.codePicture'] }),
    otherCode: page.getByRole('button', { name: words['login.codeRenew'] }),
    remember: page.getByLabel(words['login.remember']),
    submit: page.getByRole('button', { name: words['login.submit'], exact: true }),
    async fill(account: string, password: string) {
      await this.account.fill(account)
      await this.password.fill(password)
    },
  }
}

/** Where the calls of the page go, by path, in their order. */
export function callsOf(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'fetch') calls.push(new URL(request.url()).pathname)
  })
  return calls
}

export const nextCheckCode = (page: Page): Promise<Response> =>
  page.waitForResponse((response) => new URL(response.url()).pathname === getCheckCode.path)
