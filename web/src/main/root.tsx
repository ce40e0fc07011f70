import { Outlet } from '@tanstack/react-router'
import { useState } from 'react'
import { AgreementGate, useOwedAgreement } from './shell/agreementGate'
import { AwayBar } from './shell/awayBar'
import { useFollowedSettings } from './shell/followSettings'

/** Around everything that a signed-in person sees, the landing page too. */
export function Root() {
  useFollowedSettings()
  const isOwed = useOwedAgreement()
  // A page that was open when a version was published stays behind the question, with what was typed on it.
  const [isLetIn, setLetIn] = useState(!isOwed)
  if (!isOwed && !isLetIn) setLetIn(true)
  return (
    <>
      {isLetIn && <Outlet />}
      {isOwed && <AgreementGate />}
      <AwayBar />
    </>
  )
}
