import { expect, test } from '@playwright/test'

test('the server answers that it is alive and ready', async ({ page, request }) => {
  expect((await request.get('/healthz')).status()).toBe(200)
  expect((await request.get('/readyz')).status()).toBe(200)
  const answer = await page.goto('/login')
  expect(answer?.status()).toBe(200)
})
