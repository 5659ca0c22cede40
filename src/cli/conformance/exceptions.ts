/** Expectations that cannot hold, and why; files by the end of their path. */
const EXCEPTIONS: readonly { file: RegExp; reason: string }[] = [
  {
    file: /2018-10\/rules\/freerooms\/HotelAvailNotifRQ_err_bookingthreshold-null\.xml$/,
    reason:
      "BookingThreshold must be sent only once both sides have agreed on it in a handshake; HotelAvailNotifRQ_uniqueid-room-categories.xml, the same message, has to be accepted",
  },
  {
    file: /2018-10\/rules\/freerooms\/HotelAvailNotifRQ_err_bookingthreshold-not-null\.xml$/,
    reason:
      "BookingThreshold must be left out only towards servers that do not announce it; messages/FreeRooms-OTA_HotelAvailNotifRQ.xml sends it and has to be accepted",
  },
];

/** Why a message may be answered otherwise than expected. */
export function exceptionOf(file: string): string | undefined {
  return EXCEPTIONS.find((exception) => exception.file.test(file))?.reason;
}
