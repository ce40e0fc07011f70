import { type ReactNode, useState } from 'react'
import { toast } from './notice'
import { SecretOnce } from './secretOnce'
import { useText, type Vars } from '../text'

/** As the contract answers it; without a password it goes by SMS. */
type FirstPassword = { account: string; name: string; phone: string; password: string | null }
type Told = { given: FirstPassword; close: () => void }

/**
 * What the maker of a first password is told: that it waits to be sent, or, where no SMS leaves the house, the password
 * itself, this once. The promise ends when it has been read.
 * @returns how to tell it, and what stands on the page meanwhile
 */
export function useFirstPassword(): [
  (given: FirstPassword, queued: (vars: Vars) => string) => Promise<void>,
  ReactNode,
] {
  const kit = useText('admin')
  const [told, setTold] = useState<Told | null>(null)
  const tell = async (given: FirstPassword, queued: (vars: Vars) => string) => {
    const { name, phone, password } = given
    if (password === null) return toast('good', queued({ name, phone }))
    await new Promise<void>((close) => setTold({ given, close }))
    setTold(null)
  }
  if (!told?.given.password) return [tell, null]
  const { given, close } = told
  const { name, account } = given
  const about = kit('firstPassword.tell', { name, account })
  const title = kit('firstPassword.title', { name })
  return [tell, <SecretOnce key="once" title={title} about={about} secret={told.given.password} onClose={close} />]
}
