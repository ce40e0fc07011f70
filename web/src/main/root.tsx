import { Outlet } from '@tanstack/react-router'
import { AgreementGate } from './shell/agreement-gate'
import { useFollowedSettings } from './shell/follow-settings'

/** Around everything that a signed-in person sees, the landing page too. */
export function Root() {
  useFollowedSettings()
  return (
    <>
      <Outlet />
      <AgreementGate />
    </>
  )
}
