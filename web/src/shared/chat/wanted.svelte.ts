// The job whose chat a button of a notification asks for; its `ChatButton` opens it.
class WantedChat {
  job: string | null = $state(null);
}

export const wanted = new WantedChat();
