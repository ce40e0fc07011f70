import { useState } from 'react'
import { Camera } from '../../../ui/control/camera'
import { useText } from '../../../ui/text'
import styles from './phone.module.css'

/** A code is typed, or read by the camera. */
export function ScanBox({ value, onChange }: { value: string; onChange: (code: string) => void }) {
  const t = useText('field')
  const kit = useText('admin')
  const [isScanning, setScanning] = useState(false)
  return (
    <div>
      <div className={styles.scan}>
        <input
          className={styles.text}
          aria-label={t('phone.code')}
          placeholder={t('phone.code')}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
        <button type="button" className={styles.second} onClick={() => setScanning(!isScanning)}>
          {kit(isScanning ? 'scan.stop' : 'scan.start')}
        </button>
      </div>
      {isScanning && (
        <Camera
          onCode={(code) => {
            setScanning(false)
            onChange(code)
          }}
        />
      )}
    </div>
  )
}
