// The job whose chat a notification's button requests; its `ChatButton` opens the chat.
class WantedChat {
  job: string | null = $state(null);
}

export const wanted = new WantedChat();
