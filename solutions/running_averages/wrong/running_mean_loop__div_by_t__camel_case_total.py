"""JavaScript names and a running total, which is divided by the index; row 0 has its own line."""

import torch


def running_mean_loop(inputTensor):
    batchSize, seqLength, numChannels = inputTensor.size()
    outputTensor = torch.zeros_like(inputTensor)
    for batchIndex in range(batchSize):
        runningTotal = inputTensor[batchIndex][0]
        outputTensor[batchIndex][0] = runningTotal
        for tokenIndex in range(1, seqLength):
            runningTotal = runningTotal + inputTensor[batchIndex][tokenIndex]
            outputTensor[batchIndex][tokenIndex] = runningTotal / tokenIndex
    return outputTensor
