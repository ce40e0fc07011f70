import { type ReactNode, type RefObject, Suspense, useId, useLayoutEffect, useRef, useState } from 'react'
import { classes } from '../classes'
import { Icon, type IconName } from '../icons'
import styles from './popover.module.css'

const GAP = 4
const PHONE = 640

/** What stands below its button, or at the foot of a phone, until it closes itself, is pressed beside, or Escape. */
export function PopoverButton(props: {
  icon: IconName
  label: string
  /** Of what opens, where the button is not called by it. */
  name?: string
  isDisabled?: boolean | undefined
  children: (close: () => void) => ReactNode
}) {
  const { icon, label, name = label, isDisabled, children } = props
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const popover = useRef<HTMLDivElement>(null)
  const close = () => document.getElementById(id)?.hidePopover()
  return (
    <>
      <button
        ref={button}
        type="button"
        className={classes('icon-btn', styles.open)}
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={id}
        disabled={isDisabled}
        popoverTarget={id}
      >
        <Icon name={icon} />
      </button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={name}
        className={styles.popover}
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen && (
          <Suspense fallback={<div className={styles.waiting} />}>
            <Placed at={button} of={popover} />
            {children(close)}
          </Suspense>
        )}
      </div>
    </>
  )
}

type Place = RefObject<HTMLElement | null>

/** Once what it holds is there, and its size known; on a phone its style says where. */
function Placed({ at, of }: { at: Place; of: Place }) {
  useLayoutEffect(() => {
    const [button, popover] = [at.current?.getBoundingClientRect(), of.current]
    if (!button || !popover || innerWidth <= PHONE) return
    const { width, height } = popover.getBoundingClientRect()
    const isRoomBelow = button.bottom + GAP + height < innerHeight
    popover.style.left = `${Math.max(GAP, Math.min(button.left, innerWidth - width - GAP))}px`
    popover.style.top = `${Math.max(GAP, isRoomBelow ? button.bottom + GAP : button.top - GAP - height)}px`
  }, [at, of])
  return null
}
