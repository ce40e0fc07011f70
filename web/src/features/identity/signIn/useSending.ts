import { useRef, useState } from 'react'
import { CallFailure } from '../../../live/failure'
import { toast } from '../../../ui/feedback/notice'
import { useText } from '../../../ui/text'
import { SignInStopped } from './prove'

/**
 * One sending at a time; what goes wrong is told where the form wants it, else as a toast.
 * @param place the field that a refusal belongs to; null leaves it to the toast
 */
export function useSending(place: (failure: CallFailure) => string | null = () => null) {
  const t = useText('identity')
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Record<string, string>>({})
  const isUnderWay = useRef(false)
  const send = async (work: () => Promise<void>) => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    setBusy(true)
    setRefused({})
    try {
      await work()
    } catch (failure) {
      tell(failure)
    } finally {
      isUnderWay.current = false
      setBusy(false)
    }
  }
  const tell = (failure: unknown) => {
    if (failure instanceof SignInStopped) return toast('bad', t(`login.fault.${failure.reason}`))
    if (!(failure instanceof CallFailure)) return toast('bad', t('login.fault.worker'))
    const field = place(failure)
    if (field !== null) return setRefused({ [field]: failure.message })
    if (!failure.isShown) toast('bad', failure.message)
  }
  return { isBusy, refused, send }
}
