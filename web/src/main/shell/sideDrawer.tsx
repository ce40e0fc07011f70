import { useEffect, useRef } from 'react'
import { BrandMark } from '../../ui/brand/brandMark'
import { Icon } from '../../ui/icons'
import { useText } from '../../ui/text'
import { SideMenu } from './sideMenu'
import styles from './sideMenu.module.css'

/** The menu on a phone: the browser's own modal dialog keeps the focus inside and closes on Escape. */
export function SideDrawer({ onClose }: { onClose: () => void }) {
  const t = useText('system')
  const close = useText('kernel')('action.close')
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      className={styles.drawer}
      aria-label={t('shell.nav')}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) onClose()
      }}
    >
      <div className={styles.drawerHead}>
        <b>
          <BrandMark size={22} />
        </b>
        <button type="button" className="icon-btn" aria-label={close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <SideMenu />
    </dialog>
  )
}
