import { useEffect, useEffectEvent, useState } from 'react'
import { now } from '../../../live/clock'
import { type CheckCode, fetchCheckCode } from './signIn'

/** A code this close to its end is not worth sending. */
const MARGIN_MS = 5_000

/**
 * Fetched and filled by itself for the first attempt, typed from the second or when the server sends a picture.
 * @param accountNow what stands in the account's field, since a device that signed in as it before is trusted more
 */
export function useCheckCode(attempt: number, accountNow: () => string) {
  const [code, setCode] = useState<CheckCode | null>(null)
  const isTyped = attempt > 1 || code?.mode === 'typed'
  const renew = async (): Promise<CheckCode> => {
    const fetched = await fetchCheckCode(accountNow())
    setCode(fetched)
    return fetched
  }
  const fetchNow = useEffectEvent(() => fetchCheckCode(accountNow()))
  useEffect(() => {
    let isLeft = false
    void fetchNow().then((fetched) => {
      if (!isLeft) setCode(fetched)
    })
    return () => {
      isLeft = true
    }
  }, [])
  useEffect(() => {
    if (!isTyped || !code || !Number.isFinite(code.expiresAt)) return
    const timer = setTimeout(() => void fetchNow().then(setCode), code.expiresAt - now())
    return () => clearTimeout(timer)
  }, [code, isTyped])
  /** The one to send: what a person typed belongs to the code on the screen, an automatic one may be renewed. */
  const usable = async (): Promise<CheckCode> => {
    if (code && isTyped) return code
    const isGood = code !== null && code.cid !== '' && code.expiresAt > now() + MARGIN_MS
    return isGood ? code : renew()
  }
  return { code, isTyped, renew, usable }
}
