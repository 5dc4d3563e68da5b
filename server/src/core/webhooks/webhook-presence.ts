/** Whether there may be an enabled webhook. */
export class WebhookPresence {
  /**
   * False when no webhook was enabled since `WebhookService.open`: only that service writes them. It stays true from the
   * first one on, so that no message is missed between two writes.
   */
  mayTell = true;
}
