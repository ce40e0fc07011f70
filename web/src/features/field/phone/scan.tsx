import { useEffect, useRef, useState } from 'react'
import { useText } from '../../../ui/text'
import styles from './phone.module.css'

type Detector = { detect: (image: HTMLVideoElement) => Promise<{ rawValue: string }[]> }
type Native = new (options: { formats: string[] }) => Detector
const native = (): Native | undefined => (globalThis as { BarcodeDetector?: Native }).BarcodeDetector
const FORMATS = ['ean_13', 'ean_8', 'code_128', 'data_matrix', 'qr_code']

/** A code is typed, or scanned where the browser itself can read codes. */
export function ScanBox({ value, onChange }: { value: string; onChange: (code: string) => void }) {
  const t = useText('field')
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
        {native() && (
          <button type="button" className={styles.second} onClick={() => setScanning(!isScanning)}>
            {t(isScanning ? 'phone.scanStop' : 'phone.scan')}
          </button>
        )}
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

const EACH_MS = 200

/** Two equal reads are one code: a single one is now and then invented. */
function Camera({ onCode }: { onCode: (code: string) => void }) {
  const t = useText('field')
  const video = useRef<HTMLVideoElement>(null)
  const [isRefused, setRefused] = useState(false)
  const told = useRef(onCode)
  useEffect(() => {
    told.current = onCode
  }, [onCode])
  useEffect(() => {
    const Reader = native()
    let isOver = false
    let stream: MediaStream | undefined
    let last = ''
    const read = async (detector: Detector) => {
      if (isOver || !video.current) return
      const [code] = await detector.detect(video.current).catch(() => [])
      if (code && code.rawValue === last) return told.current(code.rawValue)
      last = code?.rawValue ?? ''
      setTimeout(() => void read(detector), EACH_MS)
    }
    const begin = async () => {
      if (!Reader) return
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
      if (!video.current || isOver) return stream.getTracks().forEach((track) => track.stop())
      video.current.srcObject = stream
      await video.current.play()
      void read(new Reader({ formats: FORMATS }))
    }
    begin().catch(() => setRefused(true))
    return () => {
      isOver = true
      stream?.getTracks().forEach((track) => track.stop())
    }
  }, [])
  if (isRefused) return <p className={styles.note}>{t('phone.noCamera')}</p>
  return <video ref={video} className={styles.video} muted playsInline aria-label={t('phone.scan')} />
}
